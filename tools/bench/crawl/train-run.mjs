/** A topic model by the package of some tree, for `site.ts`. Arguments: its module, folder of training pages, folder of the model. */
import { pathToFileURL } from 'node:url';

const [entry, examples, out] = process.argv.slice(2);
const { train } = await import(pathToFileURL(entry).href);
await train({ examples: [examples], out });
