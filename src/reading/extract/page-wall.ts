/**
 * Walls: pages that a server sends in place of their content. The rule has few signals, and needs two of them: it would rather miss a wall than lose a page.
 * `npm run check -- walls` counts the pages that it finds among real pages with main text.
 */
import type { PageWall } from '../../base/core/types.ts';
import { LINE, LINE_SIZE, lineNumber, lineText, type PageContent } from './blocks.ts';
import { ROLE } from './main-text.ts';
import { FLAG } from './tags.ts';
import { type WallSignals, wallSignals } from './wall-signals.ts';

/**
 * Words, at most, of the whole page that a rule allows, and of a line in it: an application has labels, a page has sentences. Of 1,570 real pages with main
 * text, one in a hundred has fewer than 40 visible words.
 */
const FEW_IN_APP = 12;
const LABEL = 5;
const FEW_WITH_DEMAND = 40;
const CLAUSE = 10;
/** A longer one is a page by itself. */
const LONG_NOSCRIPT = 60;
const FEW_WITH_PASSWORD = 60;
const FEW_OF_LOGIN = 200;
const FEW_OF_CONSENT = 300;
/** Longest main text of a wall, in UTF-16 units: other pages are not looked at. */
const LONGEST = 4_000;

const SCRIPTS = /java\s?script/i;
/** A demand for scripts, in the languages of most pages. */
const DEMAND =
  /enable|requires?\b|turn(ed)? on|need|disabled|support|aktivier|eingeschaltet|benötigt|activ|habilit|abilit|attiv|nécessite|vereist|schakel|wymaga|włącz|aktiver|включ|отключ|有効|启用|啟用|支持|필요|활성/i;
/** Comments and players that need scripts are parts of a page. */
const PART = /disqus|comment|kommentar|commentaire|comentario|video|player|map|search/i;
const LOGIN =
  /\b(log[ -]?in|sign[ -]?in|log[ -]?on|anmeld(en|ung)|einloggen|connexion|se connecter|identification|iniciar sesi[oó]n|acceder|acced[ie]|accesso|entrar|inloggen|aanmelden|logga in|log ind|logg inn|kirjaudu|zaloguj|logowanie|přihlášení|prihlásenie|bejelentkezés|autentificare|giriş|authentication required|authenticate|password (required|protected)|enter password)\b|вход|войти|авторизация|登录|登入|登錄|ログイン|로그인/i;
const LOGIN_PATH =
  /\/(log[-_]?in|sign[-_]?in|log[-_]?on|wp-login|auth|sso|saml\d?|cas|oauth2?|session\/new|sessions\/new|anmelden|anmeldung|connexion|acceso|inloggen)([/._-]|$)/i;
const CONSENT =
  /cookie|consent|gdpr|dsgvo|einwillig|zustimm|consentement|consentimiento|consenso|toestemming|zgod[ayęz]|ciasteczk|personal data|personenbezogen|données personnelles|datos personales|куки|クッキー|쿠키|同意/i;
const COOKIE = /cookie|ciasteczk|куки|クッキー|쿠키|consent(?!ing adult)|同意/gi;
const CONSENT_PLACE =
  /^https?:\/\/(consent|cmp|privacy-?gate)\.|\/(collect-?consent|consent|cookie-?wall|cookie-?consent|privacy-?gate)([/._-]|$)/i;
/** A page about cookies is no wall. */
const POLICY = /polic|privacy|datenschutz|legal|terms|cookies?-?(hinweis|richtlinie|erkl|info|notice)/i;

/** @param chosen the roles of the blocks of main text @returns null for a page of its own */
export function wallOf(html: string, content: PageContent, chosen: Uint8Array, url: string): PageWall | null {
  if (mainLength(content, chosen) > LONGEST) return null;
  const lines = new PageLines(content, chosen);
  let known: WallSignals | null = null;
  // Most pages have too many words for a wall: their tags are not read a second time.
  const signals = () => {
    known ??= wallSignals(html);
    return known;
  };
  if (isApp(lines, signals)) return 'needs-javascript';
  if (isLogin(lines, content, url, signals)) return 'login';
  return isConsent(lines, url, signals) ? 'consent-wall' : null;
}

function isApp(lines: PageLines, signals: () => WallSignals): boolean {
  if (!lines.areFew(lines.named(), FEW_WITH_DEMAND + LONG_NOSCRIPT)) return false;
  const { hasScript, hasRoot, hasCustom, hasMedia, noscript } = signals();
  // A long noscript is the page, for readers like this one.
  if (!hasScript || wordsIn(noscript) > LONG_NOSCRIPT) return false;
  const own = [...lines.named()].filter((line) => !noscript.includes(lines.text(line)));
  const longest = Math.max(0, ...own.map((line) => lines.words(line)));
  if (hasRoot && lines.areFew(own, FEW_IN_APP) && longest <= LABEL) return true;
  if (hasCustom && !hasMedia && longest === 0) return true;
  const asks = () => isDemand(noscript) || [...lines.visible()].some((line) => isDemand(lines.text(line)));
  return lines.areFew(own, FEW_WITH_DEMAND) && longest <= CLAUSE && (hasRoot || !hasMedia) && asks();
}

function isDemand(text: string): boolean {
  return (
    SCRIPTS.test(text) && text.split(/[.!?。]/).some((sentence) => SCRIPTS.test(sentence) && !PART.test(sentence)) && DEMAND.test(text)
  );
}

function isLogin(lines: PageLines, { title, heading }: PageContent, url: string, signals: () => WallSignals): boolean {
  const isPlace = LOGIN_PATH.test(pathOf(url));
  const isNamed = isPlace || partsOf(title).some(saysLogin) || saysLogin(heading);
  if (!lines.areFew(lines.visible(), FEW_WITH_PASSWORD) && !(isNamed && lines.areFew(lines.main(), FEW_OF_LOGIN))) return false;
  const { hasPassword, hasField, hasButton } = signals();
  return hasPassword || (isPlace && hasField && hasButton && lines.areFew(lines.main(), FEW_WITH_PASSWORD));
}

function isConsent(lines: PageLines, url: string, signals: () => WallSignals): boolean {
  if (!lines.areFew(lines.all(), FEW_OF_CONSENT) || POLICY.test(pathOf(url))) return false;
  const main = [...lines.main()];
  const own = lines.sum(main);
  const about = lines.sum(main.filter((line) => CONSENT.test(lines.text(line))));
  const mentions =
    main
      .map((line) => lines.text(line))
      .join('\n')
      .match(COOKIE)?.length ?? 0;
  const isAsking = CONSENT_PLACE.test(url) ? mentions > 0 : mentions > 1 && about >= own / 2;
  return own > 0 && isAsking && signals().hasButton;
}

/** The blocks, one after another, by their numbers: most pages show with the first of them that they are no walls. */
class PageLines {
  readonly #page: PageContent;
  readonly #chosen: Uint8Array;

  constructor(page: PageContent, chosen: Uint8Array) {
    this.#page = page;
    this.#chosen = chosen;
  }

  text(line: number): string {
    return lineText(this.#page, line);
  }

  /** Words, as the parser counts them: two characters of a script without spaces count as one. */
  words(line: number): number {
    return lineNumber(this.#page.lines, line, LINE.halfWords) / 2;
  }

  sum(lines: readonly number[]): number {
    return lines.reduce((words, line) => words + this.words(line), 0);
  }

  /** Do the lines have so many words, at most? It reads no further than that. */
  areFew(lines: Iterable<number>, most: number): boolean {
    let words = 0;
    for (const line of lines) {
      words += this.words(line);
      if (words > most) return false;
    }
    return true;
  }

  *all(): Generator<number> {
    for (let line = 0; line < this.#chosen.length; line += 1) yield line;
  }

  *main(): Generator<number> {
    for (const line of this.all()) if (this.#chosen[line] === ROLE.text) yield line;
  }

  *visible(): Generator<number> {
    for (const line of this.all()) if ((lineNumber(this.#page.lines, line, LINE.flags) & FLAG.hidden) === 0) yield line;
  }

  /** The visible ones that ask for no scripts. */
  *named(): Generator<number> {
    for (const line of this.visible()) if (!isDemand(this.text(line))) yield line;
  }
}

function mainLength({ lines }: PageContent, chosen: Uint8Array): number {
  let length = 0;
  for (let i = 0; i < chosen.length; i += 1)
    if (chosen[i] === ROLE.text) length += (lines[LINE_SIZE * i + LINE.end] ?? 0) - (lines[LINE_SIZE * i + LINE.start] ?? 0);
  return length;
}

/** Words; two characters of a script without spaces count as one. */
function wordsIn(text: string): number {
  return text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,2}|[\p{L}\p{N}]+/gu)?.length ?? 0;
}

/** A title is often that of the page beside that of the site. */
function partsOf(title: string): readonly string[] {
  return title.split(/[|–—·:»«/]| - /);
}

/** A name of a page, not a sentence about logins. */
function saysLogin(name: string): boolean {
  return name.trim().length <= 30 && LOGIN.test(name);
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : '';
}
