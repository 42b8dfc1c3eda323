/**
 * Writes `dist/bin` from `dist`: what the package starts, with small packages in it. A module costs Node .4 ms of a processor at each start, however
 * small it is, and a crawl needs some 670. So a file of the bundle has all modules that the same of `STARTS` need; modules that only a later `import()`
 * needs are in files of their own.
 *
 *   npm run bundle [-- --sourcemap=external]
 *
 * --sourcemap writes maps beside the files, which do not name them: a profile then has the rooms of functions.
 */
import { rmSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Plugin, type PluginContext, rolldown } from 'rolldown';
import tree from '../../package.json' with { type: 'json' };
import { shareNames, sharesOf } from './shares.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { values } = parseArgs({ options: { sourcemap: { type: 'string' } } });

/** What Node starts, by the name of its file. */
const ENTRIES = {
  index: 'faces/library/index.js',
  'part-exports': 'faces/library/part-exports.js',
  main: 'faces/cli/main.js',
  'read-worker': 'crawling/reader/read-worker.js',
  'hook-worker': 'crawling/openings/hook-worker.js',
  'retrain-thread': 'study/label/retrain-thread.js',
  'rpc-server': 'faces/web-ui/rpc-server.js',
  'work-process': 'faces/web-ui/work-process.js',
};
/** Modules whose imports are loaded together: the starts that users wait for most often. */
const STARTS = [ENTRIES.main, ENTRIES.index, ENTRIES['read-worker'], 'faces/app/run-crawl.js'].map(pathOf);
/** Packages in the bundle: they are many small modules. Others stay outside. */
const INSIDE = new Set(['@exodus/bytes', 'chardet', 'entities', 'libphonenumber-js', 'structured-headers', 'tldts', 'yargs', 'zod']);
const outside = [...Object.keys(tree.dependencies), ...Object.keys(tree.peerDependencies)].filter((name) => !INSIDE.has(name));

let shareOf: (module: string) => string | null = () => null;
const shares: Plugin = {
  name: 'shares',
  buildEnd() {
    shareOf = sharesOf(STARTS, (module) => importsOf(this, module));
  },
};

rmSync(pathOf('bin'), { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, pathOf(file)])),
  platform: 'node',
  // The form for bundles, where a package has one.
  resolve: { mainFields: ['module', 'main'] },
  transform: { target: 'node20.15' },
  external: (id) => outside.some((name) => id === name || id.startsWith(`${name}/`)),
  plugins: [shares],
});
await bundle.write({
  dir: pathOf('bin'),
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  sourcemap: values.sourcemap === undefined ? false : 'hidden',
  codeSplitting: { groups: shareNames(STARTS.length).map((name) => ({ name, test: (module) => shareOf(module) === name })) },
});

function pathOf(file: string): string {
  return `${ROOT}dist${sep}${file.replaceAll('/', sep)}`;
}

function importsOf(context: PluginContext, module: string): readonly string[] {
  return context.getModuleInfo(module)?.importedIds ?? [];
}
