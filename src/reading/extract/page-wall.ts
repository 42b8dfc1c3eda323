/**
 * Walls: pages that a server sends in place of their content. The rule has few signals, and needs two of them: it would rather miss a wall than lose a page.
 * `npm run check -- walls` counts the pages that it finds among real pages with main text.
 */
import type { PageWall } from '../../base/core/types.ts';
import { isLoginPath } from '../../base/web/login-path.ts';
import type { PageContent } from './blocks.ts';
import { mainLength, PageLines } from './page-lines.ts';
import { isShell } from './page-shell.ts';
import { isDemand } from './script-demands.ts';
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

const LOGIN =
  /\b(log[ -]?in|sign[ -]?in|log[ -]?on|anmeld(en|ung)|einloggen|connexion|se connecter|identification|iniciar sesi[oó]n|acceder|acced[ie]|accesso|entrar|inloggen|aanmelden|logga in|log ind|logg inn|kirjaudu|zaloguj|logowanie|přihlášení|prihlásenie|bejelentkezés|autentificare|giriş|authentication required|authenticate|password (required|protected)|enter password)\b|вход|войти|авторизация|登录|登入|登錄|ログイン|로그인/i;
const CONSENT =
  /cookie|consent|gdpr|dsgvo|einwillig|zustimm|consentement|consentimiento|consenso|toestemming|zgod[ayęz]|ciasteczk|personal data|personenbezogen|données personnelles|datos personales|куки|クッキー|쿠키|同意/i;
const COOKIE = /cookie|ciasteczk|куки|クッキー|쿠키|consent(?!ing adult)|同意/gi;
const CONSENT_PLACE =
  /^https?:\/\/(consent|cmp|privacy-?gate)\.|\/(collect-?consent|consent|cookie-?wall|cookie-?consent|privacy-?gate)([/._-]|$)/i;
/** A page about cookies is no wall. */
const POLICY = /polic|privacy|datenschutz|legal|terms|cookies?-?(hinweis|richtlinie|erkl|info|notice)/i;

/** The signs that a page has no content of its own. */
export interface PageEmptiness {
  /** null for a page of its own. */
  readonly wall: PageWall | null;
  /** Page that looks empty without its scripts: a browser may find a text. True of every wall that needs JavaScript. */
  readonly isShell: boolean;
}

/** @param chosen the roles of the blocks of main text */
export function emptinessOf(html: string, content: PageContent, chosen: Uint8Array, url: string): PageEmptiness {
  const length = mainLength(content, chosen);
  if (length > LONGEST) return FULL;
  const lines = new PageLines(content, chosen);
  let known: WallSignals | null = null;
  // Most pages have too many words for a wall: their tags are not read a second time.
  const signals = () => {
    known ??= wallSignals(html);
    return known;
  };
  const wall = wallIn(lines, content, url, signals);
  return { wall, isShell: wall === 'needs-javascript' || (wall === null && isShell(html, content, length, signals)) };
}

const FULL: PageEmptiness = { wall: null, isShell: false };

function wallIn(lines: PageLines, content: PageContent, url: string, signals: () => WallSignals): PageWall | null {
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

function isLogin(lines: PageLines, { title, heading }: PageContent, url: string, signals: () => WallSignals): boolean {
  const isPlace = isLoginPath(url);
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
