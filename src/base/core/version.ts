import { readFileSync } from 'node:fs';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { readonly version: string };

/** Version of this software, as in package.json. */
export const VERSION: string = manifest.version;

/** The name by which robots.txt files may address this crawler (RFC 9309 §2.2.1), and the first word of the User-Agent. */
export const PRODUCT_TOKEN = 'Forager';
