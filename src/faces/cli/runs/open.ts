import { setTimeout as sleep } from 'node:timers/promises';
import { EXIT, messageOf } from '../../../base/core/errors.ts';
import type { Ms } from '../../../base/core/types.ts';
import { PAGE_PORT } from '../../../crawling/settings/settings.ts';
import { print, warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';
import { onInterrupt } from '../interrupt.ts';
import { keysFromEnvironment } from '../output-environment.ts';
import { gatherShown } from './gather.ts';

export async function runOpen({ dir = '.', others = [], page: address, at, ...machine }: CommandOptions<'open'>): Promise<number> {
  if (at !== undefined && (await gatherShown(dir, at)) === null) return EXIT.interrupted;
  const { openPage } = await import('../../web-ui/open-page.ts');
  const page = await openPage({ dir, address: address ?? String(PAGE_PORT), run: null, others, machine, environment: process.env });
  const interrupt = onInterrupt(null);
  print(page.url);
  warn('Open this address in a browser on this machine. Press Ctrl-C to end.');
  if (at !== undefined) await gatherAgain(dir, at, interrupt.signal);
  await new Promise<void>((resolve) => {
    if (interrupt.signal.aborted) resolve();
    interrupt.signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await page.close();
  interrupt.close();
  return 0;
}

/** Time between two gatherings of a crawl that the page shows. */
const GATHER_EVERY: Ms = 15_000;

/** Follows a crawl on several machines until the signal aborts. Tells an error once, and tries again. */
async function gatherAgain(dir: string, at: string, signal: AbortSignal): Promise<void> {
  const { gather } = await import('../../app/gather-crawl.ts');
  let shown = '';
  while (!signal.aborted) {
    await sleep(GATHER_EVERY, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await gather({ dir, at, ...keysFromEnvironment(), signal });
      shown = '';
    } catch (error) {
      if (!signal.aborted && messageOf(error) !== shown) warn(messageOf(error));
      shown = messageOf(error);
    }
  }
}
