import type { Bytes } from '../../base/core/types.ts';
import { RequestSlots } from '../fetch/request-slots.ts';
import { type BrowserOptions, BrowserProcess } from './browser-process.ts';

/** Pages after which the browser is replaced, since its memory grows. */
const MAX_PAGES = 200;
/** Memory of a browser without a page above which it is replaced. A page that needs as much ends with `render-memory`. */
const MAX_IDLE_MEMORY: Bytes = 1.5 * 2 ** 30;

export interface SharedBrowserOptions extends BrowserOptions {
  /** Pages that are rendered at once. */
  readonly concurrency: number;
}

/** A browser with its pages: those that are open, and all that it has had. */
interface Running {
  readonly started: Promise<BrowserProcess>;
  open: number;
  pages: number;
}

/** The browser of this process: it starts with the first page. One that has ended, is old, has grown, or had a page that ended with trouble is replaced. */
export class Browser {
  readonly #options: SharedBrowserOptions;
  readonly #slots: RequestSlots;
  /** The one for new pages. A browser that is replaced stays until its last page is done. */
  #current: Running | null = null;
  readonly #all = new Set<Running>();
  #isClosed = false;
  /** A browser has started: one that does not start later is a crash, not a wrong installation. */
  hasStarted = false;

  constructor(options: SharedBrowserOptions) {
    this.#options = options;
    this.#slots = new RequestSlots(options.concurrency);
  }

  /** Uses the browser for one page, when fewer than `concurrency` are open. @throws EnvironmentError if it does not start; the reason of the signal; the error of `use` */
  page<T>(use: (browser: BrowserProcess) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#slots.take(signal, async () => {
      const running = await this.#forPage();
      try {
        return await use(await running.started);
      } finally {
        running.open -= 1;
        if (running !== this.#current && running.open === 0) await this.#end(running);
      }
    });
  }

  /** Ends its processes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#all].map((running) => this.#end(running)));
  }

  async #forPage(): Promise<Running> {
    const before = this.#current;
    if (before !== null && (await isWorn(before)) && before === this.#current) {
      this.#current = null;
      if (before.open === 0) await this.#end(before);
    }
    this.#current ??= this.#start();
    this.#current.open += 1;
    this.#current.pages += 1;
    return this.#current;
  }

  #start(): Running {
    const running = { started: this.#started(), open: 0, pages: 0 };
    running.started.catch(() => undefined);
    this.#all.add(running);
    return running;
  }

  async #started(): Promise<BrowserProcess> {
    const process = await BrowserProcess.start(this.#options);
    this.hasStarted = true;
    if (this.#isClosed) await process.close();
    return process;
  }

  async #end(running: Running): Promise<void> {
    this.#all.delete(running);
    await (await running.started.catch(() => null))?.close();
  }
}

/** Must the browser be replaced? Its memory counts while it has no page. One that did not start must. */
async function isWorn({ started, open, pages }: Running): Promise<boolean> {
  const process = await started.catch(() => null);
  if (process === null || !process.isOpen || process.hadTrouble || pages >= MAX_PAGES) return true;
  return open === 0 && process.memory() > MAX_IDLE_MEMORY;
}
