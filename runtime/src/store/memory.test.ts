import { storeContract } from "./contract.js";
import { MemoryStore } from "./memory.js";

storeContract("memory", () => {
  const store = new MemoryStore();
  return Promise.resolve({ store, end: () => store.close() });
});
