import type { WasmCore } from '../../../src/reading/wasm-reader/wasm-core.ts';

/** @throws where the engine has no SIMD: then nothing of the core is tested, and that must not stay unseen */
export function expectCore(core: WasmCore | null): WasmCore {
  if (core === null) throw new Error('this engine has no SIMD');
  return core;
}
