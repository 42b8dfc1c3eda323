/**
 * The property tests with inputs that `npm test` does not draw. A failure prints its seed; `PROPERTY_SEED` repeats it.
 *
 *   npm run check -- properties [options of vitest]
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodeOf } from './child.ts';

const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
  .filter((path) => readFileSync(path, 'utf8').includes("'fast-check'"));
process.env['TEST_EXTENT'] = 'whole';
process.env['PROPERTY_SEED'] ??= String(Math.floor(Date.now() / 1000));
process.exitCode = await exitCodeOf(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...tests, ...process.argv.slice(2)]);
