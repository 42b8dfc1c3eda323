/** Shorter texts are copied faster unit by unit than by a call that leaves JavaScript. */
const SHORT = 128;

/**
 * Texts, one after the other, as UTF-16 code units in one reused buffer. Asking a string for each of its units takes twice as long as copying and
 * reading them. Uses two bytes for each character of the longest text so far.
 */
export class CodeUnits {
  #units = new Uint16Array(4096);
  #bytes = Buffer.from(this.#units.buffer);

  /** @returns the units of `text`, a NUL, and remains of earlier texts; valid until the next call. O(length) */
  of(text: string): Uint16Array {
    const { length } = text;
    if (length >= this.#units.length) {
      this.#units = new Uint16Array(length + 1);
      this.#bytes = Buffer.from(this.#units.buffer);
    }
    const units = this.#units;
    if (length < SHORT) for (let i = 0; i < length; i++) units[i] = text.charCodeAt(i);
    else this.#bytes.write(text, 'utf16le');
    units[length] = 0;
    return units;
  }
}
