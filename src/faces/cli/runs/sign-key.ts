import { EXIT } from '../../../base/core/errors.ts';
import { KEY_DIRECTORY, makeSigningKey } from '../../../crawling/fetch/signing-key.ts';
import { print, warn } from '../command.ts';
import type { CommandOptions } from '../define.ts';

/** @throws UsageError */
export async function runSignKey({ out }: CommandOptions<'sign-key'>): Promise<number> {
  print(makeSigningKey(out).trimEnd());
  warn(`${out} is the private key; keep it secret, and publish the lines above as https://YOUR-HOST${KEY_DIRECTORY}`);
  return EXIT.done;
}
