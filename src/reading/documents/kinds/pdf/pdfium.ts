/** PDFium in WebAssembly: one instance, and a scratch memory for the values that its calls write. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';

/** Room for the values of a call, and for most texts. */
const SCRATCH_BYTES = 4096;

/** Page of WebAssembly memory. */
const PAGE_BYTES = 64 * 1024;
/** Most memory of an instance: that of a reading thread. */
const MAX_MEMORY = 512 * 1024 * 1024;

/** Program of PDFium, read once: each instance compiles it in 50 ms. */
let program: ArrayBuffer | null = null;

/** Calls for each character, past the wrapper: it looks up each name again, which takes half of the time. */
type CharacterCall = 'GetUnicode' | 'IsGenerated' | 'GetTextObject' | 'GetCharOrigin' | 'GetLooseCharBox';
type RawCall = (...values: number[]) => number;

export class Pdfium {
  readonly calls: WrappedPdfiumModule;
  readonly ofCharacters: Readonly<Record<CharacterCall, RawCall>>;
  /** Address of the scratch memory, a multiple of eight. */
  readonly scratch: number;

  private constructor(calls: WrappedPdfiumModule) {
    this.calls = calls;
    const raw = (name: CharacterCall) => rawCall(calls.pdfium.wasmExports, `FPDFText_${name}`);
    this.ofCharacters = {
      GetUnicode: raw('GetUnicode'),
      IsGenerated: raw('IsGenerated'),
      GetTextObject: raw('GetTextObject'),
      GetCharOrigin: raw('GetCharOrigin'),
      GetLooseCharBox: raw('GetLooseCharBox'),
    };
    this.scratch = calls.pdfium.wasmExports.malloc(SCRATCH_BYTES);
  }

  /** A new instance: WebAssembly memory never shrinks, so that of an old one is only freed with it. */
  static async open(): Promise<Pdfium> {
    program ??= new Uint8Array(readFileSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm'))).buffer;
    const calls = await init({ wasmBinary: program, print: () => {}, printErr: () => {} });
    capMemory(calls.pdfium.wasmExports);
    calls.PDFiumExt_Init();
    return new Pdfium(calls);
  }

  /** Size of its memory. */
  get bytes(): number {
    return this.calls.pdfium.HEAPU8.byteLength;
  }

  double(index: number): number {
    return this.calls.pdfium.HEAPF64[this.scratch / 8 + index] ?? 0;
  }

  float(index: number): number {
    return this.calls.pdfium.HEAPF32[this.scratch / 4 + index] ?? 0;
  }

  int(index: number): number {
    return this.calls.pdfium.HEAP32[this.scratch / 4 + index] ?? 0;
  }

  /** Address of a copy of bytes; the caller frees it. 0 if the memory does not suffice. */
  copied(bytes: Uint8Array): number {
    const at = this.calls.pdfium.wasmExports.malloc(bytes.byteLength);
    if (at !== 0) this.calls.pdfium.HEAPU8.set(bytes, at);
    return at;
  }

  free(at: number): void {
    this.calls.pdfium.wasmExports.free(at);
  }

  /** Bytes of a value that `call` writes: it returns the length that it needs. Longer values than `most` are absent: ''. */
  text(encoding: 'utf16le' | 'utf8', most: number, call: (at: number, bytes: number) => number): string {
    const needed = call(0, 0);
    if (needed <= 0 || needed > most) return '';
    const at = needed <= SCRATCH_BYTES ? this.scratch : this.calls.pdfium.wasmExports.malloc(needed);
    if (at === 0) return '';
    call(at, needed);
    const bytes = Buffer.from(this.calls.pdfium.HEAPU8.slice(at, at + needed));
    if (at !== this.scratch) this.free(at);
    return bytes.toString(encoding).replace(/\0[\s\S]*$/, '');
  }
}

/** Refuses growth beyond the cap, which a small file can ask for: PDFium then fails on the document. No limit of a thread counts this memory. */
function capMemory(exported: object): void {
  const memory: unknown = Reflect.get(exported, 'memory');
  if (!isMemory(memory)) throw new Error('PDFium has no memory');
  const grow = memory.grow.bind(memory);
  memory.grow = (pages) => {
    if (memory.buffer.byteLength + pages * PAGE_BYTES > MAX_MEMORY) throw new RangeError('the memory for one document is used up');
    return grow(pages);
  };
}

interface Memory {
  readonly buffer: ArrayBufferLike;
  grow: (pages: number) => number;
}

function isMemory(value: unknown): value is Memory {
  return typeof value === 'object' && value !== null && 'grow' in value && 'buffer' in value;
}

function rawCall(exported: object, name: string): RawCall {
  const call: unknown = Reflect.get(exported, name);
  if (!isCall(call)) throw new Error(`PDFium has no function ${name}`);
  return call;
}

function isCall(value: unknown): value is RawCall {
  return typeof value === 'function';
}
