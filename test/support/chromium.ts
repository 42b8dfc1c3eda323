/** Debian's Chromium, where a machine has it: tests in a browser are left out elsewhere, and say so. */
import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const FOUND = PATHS.find((path) => existsSync(path));

export const HAS_CHROMIUM = FOUND !== undefined;
if (!HAS_CHROMIUM) console.log(`Tests in a browser are left out: no Chromium at ${PATHS.join(', ')}`);

/** Asks nothing of the network by itself. */
const QUIET = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'];

export function launched(): Promise<Browser> {
  return chromium.launch({ executablePath: FOUND ?? '', args: ['--no-sandbox', '--disable-gpu', ...QUIET] });
}
