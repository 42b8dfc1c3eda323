import { PAGE_PORT } from '../../settings/settings.ts';
import { print, warn } from '../command.ts';
import { command } from '../define.ts';
import { onInterrupt } from '../interrupt.ts';

export const openCommand = command({
  name: 'open',
  positionals: ['dir', 'others'],
  summary: 'serve a page that starts, shows and steers a crawl, in a browser on this machine',
  examples: [
    ['$0 open', 'in an empty folder: from example pages to a crawl'],
    ['$0 open crawls/moss', 'prints the address to open; Ctrl-C ends it'],
    ['$0 open crawls/moss crawls/moss-bfs', 'the same, with a screen that compares the two crawls'],
  ],
  run: async ({ dir = '.', others = [], page: address }) => {
    const { openPage } = await import('../../page/open-page.ts');
    const page = await openPage({ dir, address: address ?? String(PAGE_PORT), run: null, others, environment: process.env });
    const interrupt = onInterrupt(null);
    print(page.url);
    warn('Open this address in a browser on this machine. Press Ctrl-C to end.');
    await new Promise<void>((resolve) => {
      if (interrupt.signal.aborted) resolve();
      interrupt.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await page.close();
    interrupt.close();
    return 0;
  },
});
