import type { CoreExports } from './core-module.ts';

/** Views of a core's memory. Growth replaces the memory, so each view is asked for where it is used. */
export class CoreMemory {
  readonly core: CoreExports;
  #ints: Int32Array;
  #words: Uint32Array;
  #bytes: Buffer;

  constructor(core: CoreExports) {
    this.core = core;
    this.#ints = new Int32Array(core.memory.buffer);
    this.#words = new Uint32Array(core.memory.buffer);
    this.#bytes = Buffer.from(core.memory.buffer);
  }

  /** The number at byte `at` is `ints[at >> 2]`. */
  get ints(): Int32Array {
    if (this.#isGone) this.#refresh();
    return this.#ints;
  }

  /** The numbers of `ints` without signs. */
  get words(): Uint32Array {
    if (this.#isGone) this.#refresh();
    return this.#words;
  }

  get bytes(): Buffer {
    if (this.#isGone) this.#refresh();
    return this.#bytes;
  }

  /** Growth leaves views of the memory before without a length. To ask WebAssembly for its buffer is a call into the engine. */
  get #isGone(): boolean {
    return this.#ints.length === 0;
  }

  #refresh(): void {
    this.#ints = new Int32Array(this.core.memory.buffer);
    this.#words = new Uint32Array(this.core.memory.buffer);
    this.#bytes = Buffer.from(this.core.memory.buffer);
  }

  units(at: number, length: number): Uint16Array {
    return new Uint16Array(this.core.memory.buffer, at, length);
  }

  floats(at: number, length: number): Float32Array {
    return new Float32Array(this.core.memory.buffer, at, length);
  }

  doubles(at: number, length: number): Float64Array {
    return new Float64Array(this.core.memory.buffer, at, length);
  }

  putInts(at: number, numbers: readonly number[]): void {
    this.ints.set(numbers, at >> 2);
  }

  /** Writes a text as UTF-16 units. */
  putText(at: number, text: string): void {
    this.bytes.write(text, at, 'utf16le');
  }

  /** The text at an address. */
  textAt(at: number, length: number): string {
    return this.bytes.toString('utf16le', at, at + 2 * length);
  }

  /** Writes a text that stays. @returns its address and end */
  keepText(text: string): [from: number, end: number] {
    const at = this.core.keep(2 * text.length);
    this.putText(at, text);
    return [at, at + 2 * text.length];
  }
}
