/** `@stepproof/runtime/testing`: what helps to test workflows of one's own. */
export { TestClock } from "./clock.js";
