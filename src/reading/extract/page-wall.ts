/**
 * Walls: pages that a server sends in place of their content. The rule has few signals, and needs two of them: it would rather miss a wall than lose a page.
 * `npm run check -- walls` counts the pages that it finds among real pages with main text.
 */
import type { PageWall } from '../../base/core/types.ts';
import { isLoginPath, isLoginWithReturn } from '../../base/web/login-path.ts';
import type { PageContent } from './blocks.ts';
import { mainLength, PageLines } from './page-lines.ts';
import { isShell } from './page-shell.ts';
import { PageSigns } from './page-signals.ts';
import { needsScripts } from './script-wall.ts';

/** Words, at most, of the visible or the main text of a page that a rule allows. */
const FEW_WITH_PASSWORD = 60;
const FEW_OF_LOGIN = 200;
const FEW_OF_CONSENT = 300;
/** Longest main text of a wall, in UTF-16 units: other pages are not looked at. */
const LONGEST = 4_000;

const LOGIN =
  /\b(log[ -]?in|sign[ -]?in|log[ -]?on|anmeld(en|ung)|einloggen|connexion|se connecter|identification|iniciar sesi[oó]n|acceder|acced[ie]|accesso|entrar|inloggen|aanmelden|logga in|log ind|logg inn|kirjaudu|zaloguj|logowanie|přihlášení|prihlásenie|bejelentkezés|autentificare|giriş|authentication required|authenticate|password (required|protected)|enter password)\b|вход|войти|авторизация|登录|登入|登錄|ログイン|로그인/i;
const CONSENT =
  /cookie|consent|gdpr|dsgvo|einwillig|zustimm|consentement|consentimiento|consenso|toestemming|zgod[ayęz]|ciasteczk|personal data|personenbezogen|données personnelles|datos personales|куки|クッキー|쿠키|同意/i;
const COOKIE = /cookie|ciasteczk|куки|クッキー|쿠키|consent(?!ing adult)|同意/i;
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
  const signs = new PageSigns(html);
  const wall = wallIn(lines, content, url, signs);
  return { wall, isShell: wall === 'needs-javascript' || (wall === null && isShell(content, length, signs)) };
}

const FULL: PageEmptiness = { wall: null, isShell: false };

function wallIn(lines: PageLines, content: PageContent, url: string, signs: PageSigns): PageWall | null {
  if (isSingleSignOn(lines, signs)) return 'login';
  if (needsScripts(lines, signs)) return 'needs-javascript';
  if (isLogin(lines, content, url, signs)) return 'login';
  return isConsent(lines, url, signs) ? 'consent-wall' : null;
}

/** Names of its fields, which programs write without character references. */
const SAML = /saml(?:request|response)/i;

/** A form that a script sends to the login of another host. */
function isSingleSignOn(lines: PageLines, signs: PageSigns): boolean {
  return lines.areFew(lines.visible(), FEW_WITH_PASSWORD) && signs.hasMarkup(SAML) && signs.wall.hasSingleSignOn;
}

function isLogin(lines: PageLines, { title, heading }: PageContent, url: string, signs: PageSigns): boolean {
  const isPlace = isLoginPath(url);
  const isNamed = isPlace || partsOf(title).some(saysLogin) || saysLogin(heading);
  const isShort =
    lines.areFew(lines.visible(), FEW_WITH_PASSWORD) ||
    (isNamed && lines.areFew(lines.main(), FEW_OF_LOGIN)) ||
    (lines.areFew(lines.main(), FEW_WITH_PASSWORD) && [...lines.main()].some((line) => LOGIN.test(lines.text(line))));
  if (!isShort) return false;
  const { hasPassword, hasField, hasButton } = signs.wall;
  if (hasPassword) return true;
  return isPlace && ((hasField && hasButton) || isLoginWithReturn(url)) && lines.areFew(lines.main(), FEW_WITH_PASSWORD);
}

function isConsent(lines: PageLines, url: string, signs: PageSigns): boolean {
  const isPlace = CONSENT_PLACE.test(url);
  if (!lines.areFew(lines.all(), FEW_OF_CONSENT) || (!isPlace && POLICY.test(pathOf(url)))) return false;
  const main = [...lines.main()];
  const own = lines.sum(main);
  const about = lines.sum(main.filter((line) => CONSENT.test(lines.text(line))));
  const text = main.map((line) => lines.text(line)).join('\n');
  const isAsking = isPlace
    ? COOKIE.test(text)
    : about >= own / 2 && (isRepeated(text, COOKIE) || (isRepeated(text, CONSENT) && signs.wall.hasChoice));
  return own > 0 && isAsking && signs.wall.hasButton;
}

function isRepeated(text: string, words: RegExp): boolean {
  return (text.match(new RegExp(words, 'gi'))?.length ?? 0) > 1;
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
