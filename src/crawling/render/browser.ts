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

/** The browser of this process: it starts with the first page, and is replaced when it has ended, is old, or has grown. */
export class Browser {
  readonly #options: SharedBrowserOptions;
  readonly #slots: RequestSlots;
  #running: Promise<BrowserProcess> | null = null;
  /** Pages that the running browser has, and has had. */
  #open = 0;
  #pages = 0;
  #isClosed = false;

  constructor(options: SharedBrowserOptions) {
    this.#options = options;
    this.#slots = new RequestSlots(options.concurrency);
  }

  /** Uses the browser for one page, when fewer than `concurrency` are open. @throws EnvironmentError if it does not start; the reason of the signal; the error of `use` */
  page<T>(use: (browser: BrowserProcess) => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#slots.take(signal, async () => {
      this.#open += 1;
      try {
        return await use(await this.#process());
      } finally {
        this.#open -= 1;
      }
    });
  }

  /** Ends its processes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#end();
  }

  async #process(): Promise<BrowserProcess> {
    const process = await this.#running?.catch(() => null);
    // A browser that is to be replaced stays until its last page is done.
    const isWorn = process?.isOpen && this.#open === 1 && (this.#pages >= MAX_PAGES || process.memory() > MAX_IDLE_MEMORY);
    if (isWorn || process?.isOpen === false) await this.#end();
    this.#pages += 1;
    this.#running ??= this.#start();
    return this.#running;
  }

  async #start(): Promise<BrowserProcess> {
    const started = BrowserProcess.start(this.#options);
    const process = await started;
    if (this.#isClosed) await process.close();
    return process;
  }

  async #end(): Promise<void> {
    const running = this.#running;
    [this.#running, this.#pages] = [null, 0];
    await (await running?.catch(() => null))?.close();
  }
}
