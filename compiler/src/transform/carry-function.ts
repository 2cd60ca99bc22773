/** Name of the function that emitted code gets; a text that holds it was transformed before. */
export const CARRY = "__stepproofCarry";

/**
 * The function that puts what a definition carries on it, as source text. It needs no import, so that the code also
 * runs beside engines that do not know the property (they ignore it), and it is hoisted, so that it can stand at the
 * end, where it moves no line.
 * @param carried JSON per call, in the order of the indices that the calls pass.
 */
export function carryFunction(carried: readonly string[]): string {
  const texts = carried.map((text) => JSON.stringify(text)).join(", ");
  return `function ${CARRY}(definition, index) {
  if (Object.isExtensible(definition)) {
    const value = JSON.parse([${texts}][index]);
    Object.defineProperty(definition, Symbol.for("stepproof.manifest"), { value, configurable: true });
  }
  return definition;
}`;
}
