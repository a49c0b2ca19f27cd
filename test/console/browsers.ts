/** The browsers in which the console is tested: Debian's, driven by Playwright. */
import { type Browser, chromium, firefox } from 'playwright-core';

/** By the name of the program. */
const launchers = {
  'chromium-headless-shell': (executablePath: string) =>
    // As root, as CI runs, Chromium's own sandbox can't be set up; the pages are ours. There is no GPU: without a process that looks for
    // one, and draws in its place, a tenth of the time is saved.
    chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--in-process-gpu', '--disable-gpu', '--disable-software-rasterizer'],
    }),
  'firefox-esr': async (executablePath: string) => {
    const browser = await firefox.launch({ channel: 'moz-firefox', executablePath });
    leaveOutMediaFeatures(browser);
    return browser;
  },
} as const;
export type BrowserProgram = keyof typeof launchers;

interface Session {
  send(method: string, parameters: unknown): Promise<unknown>;
}

/**
 * Playwright begins each page by setting media features, which Debian's Firefox has no command for (WebDriver BiDi,
 * `emulation.setMediaFeaturesOverride`). The tests set none, and Playwright has no option to leave it out.
 */
function leaveOutMediaFeatures(browser: Browser): void {
  const { _connection: connection } = browser as unknown as {
    readonly _connection: { toImpl(object: unknown): { readonly _browserSession: Session } };
  };
  const sessions: Session = Object.getPrototypeOf(connection.toImpl(browser)._browserSession);
  const { send } = sessions;
  sessions.send = async function (method, parameters) {
    if (method === 'emulation.setMediaFeaturesOverride') return {};
    return send.call(this, method, parameters);
  };
}

const launched = new Map<BrowserProgram, Browser>();

/** One browser for all test files of this process. Each page has its own context, whose state ends with it. */
export async function sharedBrowser(program: BrowserProgram, path: string): Promise<Browser> {
  const before = launched.get(program);
  if (before?.isConnected()) return before;
  const browser = await launchers[program](path);
  launched.set(program, browser);
  return browser;
}
