/** Browsers by what their user agents contain. The first match counts: most claim to be others as well. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bHeadlessChrome\//, 'Headless Chrome'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]

const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b|\bX11\b/, 'Linux'],
]

const named = (names: [RegExp, string][], text: string) =>
  names.find(([pattern]) => pattern.test(text))?.[1] ?? null

/** A program that is no browser, with its version if it tells one: `curl 8.14.1`. */
function programIn(text: string) {
  const [, name, version] = /^([\w.-]{1,40})(?:\/v?(\d[\w.]{0,19})|$)/.exec(text) ?? []
  if (name === undefined || name === 'Mozilla') return null
  return version === undefined ? name : `${name} ${version}`
}

/** The browser and system of a user agent in plain words; other clients by their own name. */
export function describeUserAgent(text: string) {
  const browser = named(BROWSERS, text)
  return { browser, client: browser ? null : programIn(text), system: named(SYSTEMS, text) }
}
