/** Debian's Chromium, where a machine has it: tests in a browser are left out elsewhere, and say so. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Page } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FOUND = PATHS.find((path) => existsSync(path));

export const HAS_CHROMIUM = FOUND !== undefined;
/** Path of the program; '' without one. */
export const CHROMIUM = FOUND ?? '';
const SHELL = '/usr/bin/chromium-headless-shell';
/** The browsers of this machine that render pages: the one without windows, which is the default, and the usual one. */
export const RENDERERS = [SHELL, CHROMIUM].filter((path) => existsSync(path));
if (!HAS_CHROMIUM) console.log(`Tests in a browser are left out: no Chromium at ${PATHS.join(', ')}`);

/** Asks nothing of the network by itself. */
const QUIET = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

/** For the contexts of tests: on a busy machine, a screen may take longer than a person waits for it. */
export const PATIENT = { extraHTTPHeaders: { prefer: 'wait=300' } };

export function launched(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu', ...QUIET] });
}

/** Violations that axe calls serious or critical. @param tab of a context with `bypassCSP`: the script of axe is no script of the page */
export async function seriousViolations(tab: Page): Promise<{ id: string; impact: string; nodes: string[] }[]> {
  await tab.addScriptTag({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') });
  const found = await tab.evaluate<{ id: string; impact: string; nodes: string[] }[]>(
    'axe.run().then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, nodes: nodes.map(({ target }) => String(target)).slice(0, 3) })))',
  );
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}
