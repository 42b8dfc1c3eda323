/** Addresses of logins. */

/** Words that name a login in a path, as programs of sites and of single sign-on write them. */
const LOGIN_PATH =
  /\/(log[-_]?in|sign[-_]?in|log[-_]?on|wp-login|auth|authorize|sso|saml\d?|cas|openid|oauth2?|session\/new|sessions\/new|anmelden|anmeldung|connexion|acceso|inloggen)([/._-]|$)/i;

/** Parameters by which a login gets the address to return to. */
const RETURN =
  /[?&](next|return|return_?(to|url|path)|redirect|redirect_?(to|ur[il])|continue|service|target|goto|back|from|SAMLRequest)=/i;

/** Has a URL the address of a login that returns to another page? A redirect made it, or a link of a page that wants a login. */
export function isLoginWithReturn(url: string): boolean {
  return isLoginPath(url) && RETURN.test(url);
}

/** Is the path of a URL that of a login? */
export function isLoginPath(url: string): boolean {
  return URL.canParse(url) && LOGIN_PATH.test(new URL(url).pathname);
}
