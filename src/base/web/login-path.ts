/** Addresses of logins. */

/** Words that name a login in a path, as programs of sites and of single sign-on write them. */
const LOGIN_PATH =
  /\/(log[-_]?in|sign[-_]?in|log[-_]?on|wp-login|auth|authorize|sso|saml\d?|cas|openid|oauth2?|session\/new|sessions\/new|anmelden|anmeldung|connexion|acceso|inloggen)([/._-]|$)/i;

/** Is the path of a URL that of a login? */
export function isLoginPath(url: string): boolean {
  return URL.canParse(url) && LOGIN_PATH.test(new URL(url).pathname);
}
