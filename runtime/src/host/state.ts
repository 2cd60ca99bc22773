import { decodeRecord, decodeValue, encodeRecord, encodeValue } from "../engine/codec.js";
import type { Journal } from "../engine/journal.js";

export const STATE_KEY = "s";

/**
 * The state of one warm instance: a plain object that user code changes in place. What it was when last
 * stored is kept as text, so that one encode tells whether it changed; nothing is paid on reads.
 */
export class StateCell {
  private stored: string | null;

  /** @param stored the record's text, `null` for a new instance. */
  constructor(
    public value: unknown,
    stored: string | null,
  ) {
    this.stored = stored;
  }

  /** The state of a stored record. @throws CorruptRecordError */
  static read(text: string, instance: string): StateCell {
    const [value] = decodeRecord("host", text, instance, STATE_KEY);
    return new StateCell(decodeValue(value), text);
  }

  /**
   * Puts the state into the journal if it changed since it was last put. True when it did.
   * @throws SerializationError naming the part that can't be stored.
   */
  put(journal: Journal, what: string): boolean {
    const text = encodeRecord("host", [encodeValue(this.value, what)]);
    if (text === this.stored) return false;
    journal.put(STATE_KEY, text);
    this.stored = text;
    return true;
  }
}
