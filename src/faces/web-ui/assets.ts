/** The page's own scripts and styles, as the build leaves them beside this file. */

import { readFile } from 'node:fs/promises';
import { packageFile } from '../../base/core/package-files.ts';

const TYPES: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};
/** Served by name alone, so that no path leads elsewhere. */
const NAME = /^\/assets\/([a-z-]+)\.(js|css|svg)$/;

export interface Asset {
  readonly text: string;
  readonly type: string;
}

/** null for an unknown path. */
export async function assetNamed(path: string): Promise<Asset | null> {
  const [, name = '', kind = ''] = NAME.exec(path) ?? [];
  const type = TYPES[kind];
  if (type === undefined) return null;
  return readFile(packageFile(`dist/faces/web-ui/client/${name}.${kind}`), 'utf8').then(
    (text) => ({ text, type }),
    () => null,
  );
}
