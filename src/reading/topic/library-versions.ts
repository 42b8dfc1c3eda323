import { createRequire } from 'node:module';

/**
 * Versions for model cards. Read from the package's own file: to load TF.js takes a quarter of a second, and a crawl that loads this trains
 * in another thread.
 */
export function libraryVersions(): { readonly node: string; readonly 'tfjs-core': string } {
  const { version } = createRequire(import.meta.url)('@tensorflow/tfjs-core/package.json') as { readonly version: string };
  return { node: process.version, 'tfjs-core': version };
}
