/**
 * All tests in their whole extent: `npm test` runs a sample of what is long.
 *
 *   npm run check -- tests [options of vitest]
 */
import { exitCodeOf } from './child.ts';

process.env['TEST_EXTENT'] = 'whole';
process.exitCode = await exitCodeOf(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...process.argv.slice(2)]);
