/** The browser of this machine: found, or refused before a crawl writes anything. */
import { execFileSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UsageError } from '../../base/core/errors.ts';

/**
 * Programs on the search path, by the packages of Debian, Ubuntu and Google. The shell without windows comes first: it takes a quarter of the CPU time
 * (`npm run bench -- render`).
 */
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
] as const;
/** Usual places of applications on macOS. Its search path has none of them. Those of one user are not looked at. */
const APPLICATIONS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
] as const;
/** Next step without a browser. */
const INSTALL = 'install Chromium (Debian: apt install chromium-headless-shell), or give the path of a Chromium or Chrome with --browser';
/** Prints the place of the first of its arguments that is a program. The shell knows the search path. Only the command line reads the environment. */
const SEARCH = 'for name do command -v -- "$name" && exit 0; done; exit 1';

/**
 * The program of a Chromium or Chrome, as a full path. Starts a shell, and no browser.
 * @param browser a path, or a name on the search path. Absent: the first that is there
 * @throws UsageError if there is none
 */
export function findBrowser({ browser }: { readonly browser?: string }): string {
  if (browser === undefined) {
    const found = onSearchPath(NAMES) ?? APPLICATIONS.find(isProgram);
    if (found === undefined) throw new UsageError(`--render: this machine has no browser; ${INSTALL}`);
    return found;
  }
  const found = browser.includes('/') ? resolve(browser) : onSearchPath([browser]);
  if (found === null || !isProgram(found)) throw new UsageError(`--browser ${browser}: is not a program; correct the path, or ${INSTALL}`);
  return found;
}

/**
 * Refuses a browser of root, which has no sandbox: the user decides to go without it.
 * @param noSandbox does the user renounce the sandbox? @param user id of the user of this process; null on Windows
 * @throws UsageError
 */
export function refuseRootSandbox(noSandbox: boolean, user: number | null = process.getuid?.() ?? null): void {
  if (user !== 0 || noSandbox) return;
  throw new UsageError('--render: the sandbox of the browser does not work for root; run Forager as another user, or add --no-sandbox');
}

/** Warning of each run whose browser has no sandbox. The sandbox belongs to Chromium: it confines the processes that run scripts of pages. */
export const NO_SANDBOX =
  'the browser has no sandbox (--no-sandbox), so a page that breaks out has your rights; better run Forager as another user';

/** The full path of the first that is there; null for none, and for a word of the shell itself. Takes 2 ms. */
function onSearchPath(names: readonly string[]): string | null {
  try {
    const found = execFileSync('/bin/sh', ['-c', SEARCH, 'sh', ...names], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return found.includes('/') ? resolve(found) : null;
  } catch {
    return null;
  }
}

/** Is it a file that may be executed? Whether it is a browser shows when it is started. */
function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
