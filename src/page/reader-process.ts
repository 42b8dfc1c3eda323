/** The process that reads a crawl for the page; `crawl-reader.ts` is the other end. It ends with its channel. */
import { CrawlerError, messageOf } from '../core/errors.ts';
import type { Reply, Request } from './crawl-reader.ts';
import { type Readings, readingsOf } from './readings.ts';

let readings: Readings | null = null;
let last: Promise<void> = Promise.resolve();

process.on('message', (request) => {
  last = last.then(() => answer(request as Request));
});

async function answer({ id, dir, name, given }: Request): Promise<void> {
  try {
    readings ??= readingsOf(dir);
    tell({ id, kind: 'done', value: await readings[name](given as never) });
  } catch (error) {
    tell({ id, kind: 'failed', code: error instanceof CrawlerError ? error.code : null, message: messageOf(error) });
  }
}

/** The other end may be gone. */
function tell(reply: Reply): void {
  if (process.connected) process.send?.(reply, () => undefined);
}
