import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EnvironmentError } from '../../src/base/core/errors.ts';
import type { Bytes } from '../../src/base/core/types.ts';
import { firstOf, type VirtualPages, virtualSource } from '../page-source.ts';
import { type RunningWeb, startWebProxy, type WebProxyOptions } from '../web-proxy.ts';
import { readManifest } from './manifest.ts';
import { DEFAULT_CACHE_BYTES, DEFAULT_DIR, diskSource } from './source.ts';

export interface DebianWebOptions extends WebProxyOptions {
  /** A built web; default `.cache/debian-web`. */
  readonly dir?: string;
  /** Hosts that exist in memory only, e.g. of `portalPages`. */
  readonly virtual?: VirtualPages;
  /** Pages kept in memory; default 256 MB. */
  readonly cacheBytes?: Bytes;
}

/** Serve a built Debian web through a proxy on loopback. @throws EnvironmentError when it is not built or the port is taken. */
export async function startDebianWeb(options: DebianWebOptions = {}): Promise<RunningWeb> {
  const dir = options.dir ?? DEFAULT_DIR;
  if (!existsSync(join(dir, 'manifest.json'))) throw new EnvironmentError(`no Debian web in ${dir}: run npm run data -- web-build first`);
  const hosts = new Set(readManifest(dir).rows.map((row) => row.host));
  const disk = diskSource(dir, hosts, options.cacheBytes ?? DEFAULT_CACHE_BYTES);
  const virtual = virtualSource(options.virtual ?? new Map());
  return startWebProxy(firstOf([disk, virtual]), options);
}
