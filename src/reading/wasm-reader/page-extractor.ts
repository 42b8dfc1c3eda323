import { type ExtractorOptions, PageExtractor } from '../extract/extractor.ts';
import { CoreParser } from './core-parser.ts';
import { WasmCore } from './wasm-core.ts';

/** An extractor that parses in the WebAssembly reader. A core takes 2 ms and 2 MB: make one extractor for many pages. */
export function pageExtractor(options: ExtractorOptions, core = new WasmCore()): PageExtractor {
  return new PageExtractor(options, new CoreParser(core));
}
