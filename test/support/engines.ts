import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath, closed, launchBrowser } from './browser.ts';
import { findProgram } from './program.ts';
import { freePort } from './store/postgres-server.ts';
import { until } from './until.ts';

/** One window of a browser, driven through what all three engines have: addresses, history and scripts. */
export interface EngineWindow extends AsyncDisposable {
  open(url: string): Promise<void>;
  back(): Promise<void>;
  /** The value of an expression in the page, as JSON. */
  evaluate(expression: string): Promise<unknown>;
}

export interface Engine {
  name: string;
  program: string | undefined;
  start(): Promise<EngineWindow>;
}

const firefoxPath = findProgram('firefox-esr', 'firefox');
const webkitPath = findProgram('WebKitWebDriver');
const screenPath = findProgram('Xvfb');

/** WebKit has no mode without a screen. */
export const engines: readonly Engine[] = [
  { name: 'Chromium', program: chromiumPath, start: startChromium },
  { name: 'Firefox', program: firefoxPath, start: startFirefox },
  { name: 'WebKit', program: screenPath && webkitPath, start: startWebkit },
];

async function startChromium(): Promise<EngineWindow> {
  const browser = await launchBrowser();
  const page = await browser.newPage({ ignoreHTTPSErrors: true });
  return {
    open: async (url) => void (await page.goto(url)),
    back: async () => void (await page.goBack()),
    evaluate: (expression) => page.evaluate(expression),
    [Symbol.asyncDispose]: () => closed(browser),
  };
}

/** By WebDriver BiDi, which Firefox speaks itself. */
async function startFirefox(): Promise<EngineWindow> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
  const child = spawn(firefoxPath ?? '', args, { env: { ...process.env, HOME: profile } });
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  const address = () => /WebDriver BiDi listening on (ws:\S+)/.exec(said)?.[1];
  await until('Firefox listens', () => address() !== undefined, { found: () => said });
  const socket = new WebSocket(`${address()}/session`);
  await once(socket, 'open');
  const waiting = new Map<number, (answer: Answer) => void>();
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer;
    waiting.get(answer.id)?.(answer);
  });
  let id = 0;
  const ask = async (method: string, params: object): Promise<Record<string, unknown>> => {
    id += 1;
    const answered = new Promise<Answer>((resolve) => void waiting.set(id, resolve));
    socket.send(JSON.stringify({ id, method, params }));
    const { result, error, message } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error} ${message}`);
    return result ?? {};
  };
  await ask('session.new', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
  const { contexts } = (await ask('browsingContext.getTree', {})) as { contexts: [{ context: string }] };
  const [{ context }] = contexts;
  return {
    open: async (url) => void (await ask('browsingContext.navigate', { context, url, wait: 'complete' })),
    back: async () => void (await ask('browsingContext.traverseHistory', { context, delta: -1 })),
    async evaluate(expression) {
      const { result } = (await ask('script.evaluate', {
        expression: `JSON.stringify(${expression})`,
        target: { context },
        awaitPromise: true,
      })) as { result?: { value?: string } };
      return result?.value === undefined ? undefined : JSON.parse(result.value);
    },
    async [Symbol.asyncDispose]() {
      socket.close();
      child.kill();
      if (child.exitCode === null) await once(child, 'exit');
      rmSync(profile, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

interface Answer {
  id: number;
  result?: Record<string, unknown>;
  error?: string;
  message?: string;
}

/** By WebDriver, on a screen of its own. */
async function startWebkit(): Promise<EngineWindow> {
  const home = mkdtempSync(join(tmpdir(), 'webkit-'));
  const screen = spawn(screenPath ?? '', [
    '-displayfd',
    '1',
    '-screen',
    '0',
    '1280x1024x24',
    '-nolisten',
    'tcp',
  ]);
  const [display] = (await once(screen.stdout, 'data')) as [Buffer];
  const port = await freePort();
  const driver = spawn(webkitPath ?? '', [`--port=${port}`], {
    env: {
      ...process.env,
      DISPLAY: `:${display.toString().trim()}`,
      HOME: home,
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
    },
    stdio: 'ignore',
  });
  const ask = async (path: string, body: object | undefined, method = 'POST'): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await answer.json()) as { value: unknown };
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value;
  };
  await until('WebKit’s driver answers', () =>
    ask('/status', undefined, 'GET').then(
      () => true,
      () => false,
    ),
  );
  const browser = { binary: MINI_BROWSER, args: ['--automation'] };
  const wanted = { acceptInsecureCerts: true, 'webkitgtk:browserOptions': browser };
  const { sessionId } = (await ask('/session', { capabilities: { alwaysMatch: wanted } })) as {
    sessionId: string;
  };
  const session = `/session/${sessionId}`;
  return {
    open: async (url) => void (await ask(`${session}/url`, { url })),
    back: async () => void (await ask(`${session}/back`, {})),
    evaluate: (expression) => ask(`${session}/execute/sync`, { script: `return ${expression}`, args: [] }),
    async [Symbol.asyncDispose]() {
      await ask(session, undefined, 'DELETE').catch(() => {});
      for (const child of [driver, screen]) {
        child.kill();
        if (child.exitCode === null) await once(child, 'exit');
      }
      rmSync(home, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

const MINI_BROWSER = findProgram(
  '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
  '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.0/MiniBrowser',
  '/usr/lib/aarch64-linux-gnu/webkit2gtk-4.1/MiniBrowser',
);
