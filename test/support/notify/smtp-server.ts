import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Replaces the reply to a command; undefined: as usual. `close` drops the connection; nothing is said for `` or `take`. */
type Reply = (argument: string) => string | undefined;
type Command = 'greeting' | 'EHLO' | 'HELO' | 'STARTTLS' | 'AUTH' | 'MAIL' | 'RCPT' | 'DATA' | 'end';

export interface SmtpServer extends AsyncDisposable {
  readonly url: string;
  /** Complete mails, with their recipients. */
  readonly mails: { to: string[]; text: string }[];
  script: Partial<Record<Command, Reply>>;
  /** Awaited before the greeting. */
  greeting: Promise<void>;
  /** Mails that were sent whole. */
  taken: number;
  /** Connections that were made to it. */
  sessions: number;
  /** What was said to sign in, and whether that was encrypted. */
  readonly signedIn: { proof: string; encrypted: boolean }[];
}

/** With them, it encrypts: from the start, or when it is asked to. */
interface Encryption {
  when: 'at once' | 'STARTTLS';
  key: string;
  cert: string;
}

/** A mail server that speaks as much of RFC 5321 and 3207 as a client needs; it knows every user. */
export async function startSmtpServer(encryption?: Encryption): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    smtp.sessions += 1;
    socket.on('error', () => {});
    void serve(socket, smtp, encryption);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const smtp: SmtpServer = {
    url: `smtp${encryption?.when === 'at once' ? 's' : ''}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails: [],
    script: {},
    greeting: Promise.resolve(),
    taken: 0,
    sessions: 0,
    signedIn: [],
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return smtp;
}

/** What is said unless the script says otherwise. */
const usual: Record<string, string> = {
  greeting: '220 test',
  EHLO: '250-test\r\n250 AUTH PLAIN LOGIN',
  HELO: '250 test',
  STARTTLS: '220 go on',
  AUTH: '235 2.7.0 welcome',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  end: '250 2.0.0 taken',
  QUIT: '221 bye',
};

async function serve(plain: Socket, smtp: SmtpServer, encryption: Encryption | undefined): Promise<void> {
  const encrypted = () => {
    const secured = new TLSSocket(plain, { isServer: true, ...encryption });
    secured.on('error', () => {});
    return secured;
  };
  let socket: Socket = encryption?.when === 'at once' ? encrypted() : plain;
  let to: string[] = [];
  let mail: string[] | undefined;
  /** The reply, once said. */
  const say = (command: string, argument = ''): string => {
    const reply = smtp.script[command as Command]?.(argument) ?? usual[command] ?? '502 5.5.2 unknown';
    if (reply.endsWith('close')) socket.destroy();
    else if (command === 'EHLO' && encryption?.when === 'STARTTLS' && socket === plain)
      socket.write(`250-test\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN XOAUTH2\r\n`);
    else if (reply !== '' && reply !== 'take') socket.write(`${reply}\r\n`);
    if (reply.startsWith('421') || command === 'QUIT') socket.end();
    return reply;
  };
  const endOfMail = (): void => {
    smtp.taken += 1;
    const text = (mail ?? []).join('\n');
    mail = undefined;
    if (/^(250|take)/.test(say('end'))) smtp.mails.push({ to, text });
  };
  const answer = (line: string): unknown => {
    if (mail !== undefined) return line === '.' ? endOfMail() : void mail.push(line.replace(/^\.\./, '.'));
    const [, address = ''] = /<([^>]*)>/.exec(line) ?? [];
    const verb = line === 'STARTTLS' && encryption !== undefined ? line : line.slice(0, 4).toUpperCase();
    if (verb === 'AUTH') smtp.signedIn.push({ proof: line, encrypted: socket instanceof TLSSocket });
    if (verb === 'MAIL') to = [];
    const reply = say(verb, address);
    if (verb === 'RCPT' && reply.startsWith('250')) to.push(address);
    if (verb === 'DATA' && reply.startsWith('354')) mail = [];
    if (verb === 'STARTTLS' && reply.startsWith('220')) {
      plain.removeAllListeners('data');
      socket = encrypted();
      listen();
    }
    return undefined;
  };
  const listen = () => {
    let rest = '';
    socket.on('data', (chunk) => {
      const lines = `${rest}${chunk.toString('utf8')}`.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) answer(line);
    });
  };
  await smtp.greeting;
  say('greeting');
  listen();
}
