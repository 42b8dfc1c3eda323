import type { PageCore } from '../../../src/reading/wasm-reader/page-core.ts';

/** @throws where the engine has no SIMD: then nothing of the core is tested, and that must not stay unseen */
export function expectCore(core: PageCore | null): PageCore {
  if (core === null) throw new Error('this engine has no SIMD');
  return core;
}
