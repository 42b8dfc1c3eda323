import { readFileSync } from 'node:fs';
import { packageFile } from './package-files.ts';

const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as { readonly version: string };

/** Version of this software, as in package.json. */
export const VERSION: string = manifest.version;

/** The name by which robots.txt files may address this crawler (RFC 9309 §2.2.1), and the first word of the User-Agent. */
export const PRODUCT_TOKEN = 'Forager';
