/** Signatures of requests by Web Bot Auth: HTTP message signatures (RFC 9421) with a key of the user's. */
import { randomBytes, sign } from 'node:crypto';
import { type Clock, dateOf } from '../../base/core/clock.ts';
import { UsageError } from '../../base/core/errors.ts';
import type { EpochMs, Ms } from '../../base/core/types.ts';
import { readSigningKey, type SigningKey } from './signing-key.ts';

/** Time for which a signature counts: requests are sent at once, and clocks of servers differ by seconds. A copy of it is worthless soon. */
const VALID: Ms = 60_000;
/** draft-meunier-web-bot-auth-architecture: 64 random bytes. */
const NONCE_BYTES = 64;
/** Statuses that refuse a client. */
const REFUSING: readonly number[] = [401, 403];

/** Signs requests, each with a time and a nonce of its own: the time of one Ed25519 signature, some 40 µs. */
export class RequestSigner {
  readonly #key: SigningKey;
  readonly #agent: string | null;
  readonly #clock: Clock;
  readonly #warn: (message: string) => void;
  #warned = false;

  /** @param agent origin that publishes the key, as `https://crawler.example.org`; null for none */
  constructor(key: SigningKey, agent: string | null, clock: Clock, warn: (message: string) => void) {
    this.#key = key;
    this.#agent = agent === null ? null : `"${agent}"`;
    this.#clock = clock;
    this.#warn = warn;
  }

  /** Fields of a request, names and values in turn. They identify the crawler and are no secrets. */
  fieldsFor({ host }: URL): string[] {
    const created = Math.floor(dateOf(this.#clock) / 1000);
    const agent = this.#agent === null ? [] : ['signature-agent', this.#agent];
    const covered = this.#agent === null ? '("@authority")' : '("@authority" "signature-agent")';
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const parameters = `${covered};created=${created};expires=${created + VALID / 1000};keyid="${this.#key.keyId}";alg="ed25519";nonce="${nonce}";tag="web-bot-auth"`;
    const lines = [
      `"@authority": ${host}`,
      ...(this.#agent === null ? [] : [`"signature-agent": ${this.#agent}`]),
      `"@signature-params": ${parameters}`,
    ];
    const signature = sign(null, Buffer.from(lines.join('\n')), this.#key.key).toString('base64');
    return [...agent, 'signature-input', `sig1=${parameters}`, 'signature', `sig1=:${signature}:`];
  }

  /** Warns once if a server refuses a signed request, and its clock says that the signature is not valid. @param date its `Date` field */
  answered(host: string, status: number, date: string | undefined): void {
    const there = Date.parse(date ?? '');
    if (this.#warned || !REFUSING.includes(status) || Number.isNaN(there)) return;
    const ahead = dateOf(this.#clock) - there;
    if (Math.abs(ahead) <= VALID) return;
    this.#warned = true;
    this.#warn(
      `${host} refuses a signed request with ${status}: the clock of this machine is ${seconds(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} that server's, and signatures count ${VALID / 1000} s; set the clock, e.g. by NTP, and start the crawl again`,
    );
  }
}

function seconds(ms: EpochMs): number {
  return Math.round(Math.abs(ms) / 1000);
}

/** The signer of a crawl. @throws UsageError for a file that is no private key of the user's alone, and for an agent that is no https origin */
export function openSigner(keyFile: string | null, agent: string | null, clock: Clock, warn: (message: string) => void): RequestSigner {
  if (keyFile === null) throw new UsageError(`--sign-agent ${agent}: has no key; give --sign-key FILE, from forager sign-key`);
  return new RequestSigner(readSigningKey(keyFile), agent === null ? null : originOf(agent), clock, warn);
}

/** @throws UsageError */
function originOf(agent: string): string {
  const url = URL.canParse(agent) ? new URL(agent) : null;
  if (url?.protocol === 'https:' && url.pathname === '/' && url.search === '' && url.username === '') return url.origin;
  throw new UsageError(`--sign-agent ${agent}: is not an https origin; give e.g. https://crawler.example.org`);
}
