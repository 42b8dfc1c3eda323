/** `npm run data -- web-serve [--dir DIR] [--port N] [--latency MS] [--log FILE] [--portals N] [--seed N]` */
import { parseArgs } from 'node:util';
import { CrawlerError, EXIT, messageOf, UsageError } from '../../src/base/core/errors.ts';
import { portalPages } from './portals.ts';
import { DEFAULT_DIR } from './source.ts';
import { startDebianWeb } from './web.ts';

const USAGE = `Serve the Debian web: an HTTP proxy on 127.0.0.1 that answers http://host/path from disk.
  --dir DIR      a built web (default ${DEFAULT_DIR})
  --port N       default 3128
  --latency MS   wait before each answer (default 0)
  --log FILE     append one JSON line a request: host, path, start, end (monotonic ms), status
  --portals N    add N generated portal hosts, portal-1.example and on, that link into all hosts
  --seed N       of the portals (default 1)`;

function options() {
  const number = (fallback: string) => ({ type: 'string', default: fallback }) as const;
  try {
    return parseArgs({
      options: {
        dir: { type: 'string', default: DEFAULT_DIR },
        port: number('3128'),
        latency: number('0'),
        log: { type: 'string' },
        portals: number('0'),
        seed: number('1'),
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(`${messageOf(error)}; try --help`, { cause: error });
  }
}

function whole(flag: string, text: string, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= max)) throw new UsageError(`--${flag} ${text}: must be a whole number from 0 to ${max}`);
  return value;
}

async function main(): Promise<void> {
  const given = options();
  if (given.help) return console.log(USAGE);
  const portals = whole('portals', given.portals, 1000);
  const seed = whole('seed', given.seed, 2 ** 32 - 1);
  const web = await startDebianWeb({
    dir: given.dir,
    port: whole('port', given.port, 65_535),
    latency: whole('latency', given.latency, 600_000),
    ...(given.log === undefined ? {} : { logFile: given.log }),
    ...(portals === 0 ? {} : { virtual: portalPages({ dir: given.dir, portals, seed }) }),
  });
  console.log(web.proxy);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void web.close());
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = error instanceof CrawlerError ? error.exitCode : EXIT.bug;
});
