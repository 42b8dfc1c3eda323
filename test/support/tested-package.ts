/** The package and the Node that the tests of docs run: this clone, or those that `npm run check -- install` names. */
import { fileURLToPath } from 'node:url';

export const PACKAGE = process.env['FORAGER_PACKAGE'] ?? fileURLToPath(new URL('../..', import.meta.url));
export const NODE = process.env['FORAGER_NODE'] ?? process.execPath;
