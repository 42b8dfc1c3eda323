/** The few pages of the forum, each under as many session ids as are asked for. */
import type { Rng } from '../../src/base/core/rng.ts';

export interface SessionPlace {
  readonly kind: 'session';
  /** 1 to `SESSION_PAGES`. */
  readonly page: number;
  /** null: asked for without a session. */
  readonly session: Session | null;
}

/**
 * Ids stand where servers put them. A canonical URL keeps neither `jsessionid` nor a `sid` as long as a hash of PHP; it must keep a short
 * `sid`, which may as well name content, so that the trap is one for a crawler that canonicalizes, too.
 */
interface Session {
  readonly form: 'jsessionid' | 'sid';
  /** 16 hexadecimal digits. */
  readonly id: string;
}

export const SESSION_PAGES = 24;

export function sessionPath({ page, session }: SessionPlace): string {
  if (session === null) return `/page-${page}`;
  return `/page-${page}${session.form === 'sid' ? '?' : ';'}${session.form}=${session.id}`;
}

/** The page at a path with query, under any session; null when there is no such page. */
export function sessionPlace(target: string): SessionPlace | null {
  const match = /^\/page-([1-9]\d?)(?:;jsessionid=([0-9a-f]{16})|\?sid=([0-9a-f]{16}))?$/.exec(target);
  if (match === null || Number(match[1]) > SESSION_PAGES) return null;
  const [, page, inPath, inQuery] = match;
  return { kind: 'session', page: Number(page), session: sessionOf(inPath, inQuery) };
}

/** Every page, each under an id of its own. */
export function freshSessions(rng: Rng): readonly SessionPlace[] {
  return Array.from({ length: SESSION_PAGES }, (_, at) => {
    const form = rng() < 0.5 ? 'jsessionid' : 'sid';
    return { kind: 'session', page: at + 1, session: { form, id: word(rng) + word(rng) } };
  });
}

function sessionOf(inPath: string | undefined, inQuery: string | undefined): Session | null {
  if (inPath !== undefined) return { form: 'jsessionid', id: inPath };
  return inQuery === undefined ? null : { form: 'sid', id: inQuery };
}

/** 32 bits in hexadecimal. */
function word(rng: Rng): string {
  return Math.floor(rng() * 2 ** 32)
    .toString(16)
    .padStart(8, '0');
}
