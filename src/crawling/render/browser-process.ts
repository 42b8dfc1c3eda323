import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { EnvironmentError, InvariantError } from '../../base/core/errors.ts';
import type { Bytes, Ms } from '../../base/core/types.ts';
import { browserFlags } from './browser-flags.ts';
import { CdpError, type CdpEvent, type CdpObject, CdpPipe, cdpText, isObject } from './cdp-pipe.ts';
import { memoryOfGroup } from './process-group.ts';

export interface BrowserOptions {
  /** Program of the browser. */
  readonly path: string;
  /** Runs it without its sandbox, as root must. */
  readonly noSandbox: boolean;
}

/**
 * Runs the browser, and ends its whole process group when the pipe at descriptor 5 closes: also if this process is killed. The shell holds
 * neither pipe of the protocol, so that they close with the browser. $0 is the profile: it is removed when the browser
 * has had a second to end, since it would write while that is done. Debian's launcher would add the switches of CHROMIUM_FLAGS.
 */
const WATCHDOG =
  'export CHROMIUM_FLAGS= DBUS_SESSION_BUS_ADDRESS=disabled:; "$@" 5<&- & exec 3<&- 4>&-; read -r _ <&5; trap "" TERM; kill -TERM 0; sleep 1; rm -rf -- "$0"; kill -9 0';
/** Longest start: 1.4 s on an idle machine; a busy one takes several times as long. */
const START_TIME: Ms = 30_000;
const CALL_TIME: Ms = 10_000;
/** End of its error output that is kept, for the message when it does not start. */
const MAX_COMPLAINT = 500;

/** A target that belongs to a page: the session through which it is asked. */
export interface OpenedTarget {
  readonly context: string;
  readonly target: string;
  readonly session: string;
}

/** One running browser, with a profile that ends with it. */
export class BrowserProcess {
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #pipe: CdpPipe;
  /** Sessions of targets that wait to be used. */
  readonly #attached = new Map<string, string>();
  readonly #ended: Promise<void>;
  #complaint = '';
  #isOpen = true;
  /** A page ended with trouble: parts of the browser may have ended with it. */
  hadTrouble = false;

  private constructor({ path, noSandbox }: BrowserOptions) {
    this.#profile = mkdtempSync(join(tmpdir(), 'forager-browser-'));
    const command = [path, ...browserFlags(this.#profile, noSandbox)];
    this.#child = spawn('/bin/sh', ['-c', WATCHDOG, this.#profile, ...command], {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const [, , , output, input] = this.#child.stdio;
    if (!(output instanceof Writable) || !(input instanceof Readable)) throw new InvariantError('the browser has no pipes');
    this.#child.stderr?.on('data', (chunk: Buffer) => {
      this.#complaint = (this.#complaint + chunk.toString('latin1')).slice(-MAX_COMPLAINT);
    });
    this.#ended = new Promise((resolve) => this.#child.once('close', () => resolve()).once('error', () => resolve()));
    this.#pipe = new CdpPipe(output, input, () => this.#kill());
    this.#pipe.listen('', (event) => this.#noteTarget(event));
  }

  /** @throws EnvironmentError if it does not start */
  static async start(options: BrowserOptions): Promise<BrowserProcess> {
    const browser = new BrowserProcess(options);
    try {
      await browser.send('Browser.getVersion', {}, '', START_TIME);
      // A target waits until it is known whether it is a page of ours: any other never makes its first request.
      await browser.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: true, flatten: true });
      return browser;
    } catch {
      await browser.close();
      const said = browser.#complaint.trim().split('\n').at(-1) ?? '';
      throw new EnvironmentError(
        `${options.path}: the browser did not start${said === '' ? '' : ` (${said})`}; --browser names another one`,
      );
    }
  }

  /** False when its process has ended. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Memory of all its processes; 0 if it cannot be known. */
  memory(): Bytes {
    return memoryOfGroup(this.#child.pid ?? 0);
  }

  /** @param session '' for the browser itself. @throws CdpError */
  send(method: string, params: CdpObject = {}, session = '', within: Ms = CALL_TIME): Promise<CdpObject> {
    return this.#pipe.send(method, params, session, within);
  }

  listen(session: string, listener: ((event: CdpEvent) => void) | null): void {
    this.#pipe.listen(session, listener);
  }

  /** Opens an empty page with cookies and storage of its own. It waits for the first call of `Runtime.runIfWaitingForDebugger`. @throws CdpError */
  async openTarget(): Promise<OpenedTarget> {
    const context = cdpText(await this.send('Target.createBrowserContext', { disposeOnDetach: true }), 'browserContextId');
    await this.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId: context });
    const target = cdpText(await this.send('Target.createTarget', { url: 'about:blank', browserContextId: context }), 'targetId');
    const session = this.#attached.get(target);
    this.#attached.delete(target);
    if (session === undefined) throw new CdpError('Target.createTarget', 'refused', 'the target cannot be watched');
    return { context, target, session };
  }

  /** Closes the pages of a context. One that does not close in time ends the browser. Never rejects. */
  async closeTarget({ context, session }: OpenedTarget, within: Ms): Promise<void> {
    this.listen(session, null);
    await this.send('Target.disposeBrowserContext', { browserContextId: context }, '', within).catch(() => this.#kill());
  }

  /** Ends all its processes. */
  async close(): Promise<void> {
    this.#pipe.end();
    this.#kill();
    await this.#ended;
  }

  #noteTarget({ method, params }: CdpEvent): void {
    if (method !== 'Target.attachedToTarget') return;
    const info = isObject(params['targetInfo']) ? params['targetInfo'] : {};
    const target = cdpText(info, 'targetId');
    const isOpenedByPage = cdpText(info, 'openerId') !== '';
    if (cdpText(info, 'type') === 'page' && !isOpenedByPage) this.#attached.set(target, cdpText(params, 'sessionId'));
    else void this.send('Target.closeTarget', { targetId: target }).catch(() => undefined);
  }

  #kill(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // The group has ended.
    }
    this.#pipe.end();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 3 });
  }
}
