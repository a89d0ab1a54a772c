import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface SmtpServer extends AsyncDisposable {
  readonly url: string;
  /** Complete mails, with their recipients. */
  readonly mails: { to: string[]; text: string }[];
  /** Recipients that are answered with 550. */
  readonly refused: Set<string>;
  /** Awaited before the greeting. */
  greeting: Promise<void>;
  /** `silent`: takes the mail and never says so. */
  end: 'accept' | 'silent' | 'refuse';
  /** Mails that were sent whole. */
  taken: number;
}

/** A mail server that speaks as much of RFC 5321 as a client needs, in the clear, without sign-in. */
export async function startSmtpServer(): Promise<SmtpServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    void serve(socket, smtp);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const smtp: SmtpServer = {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails: [],
    refused: new Set(),
    greeting: Promise.resolve(),
    end: 'accept',
    taken: 0,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return smtp;
}

async function serve(socket: Socket, smtp: SmtpServer): Promise<void> {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let to: string[] = [];
  let mail: string[] | undefined;
  const endOfMail = (): void => {
    smtp.taken += 1;
    const text = (mail ?? []).join('\n');
    mail = undefined;
    if (smtp.end === 'silent') return;
    if (smtp.end === 'accept') smtp.mails.push({ to, text });
    say(smtp.end === 'accept' ? '250 taken' : '554 refused');
  };
  const answer = (line: string): unknown => {
    if (mail !== undefined) return line === '.' ? endOfMail() : void mail.push(line.replace(/^\.\./, '.'));
    const [, address = ''] = /<([^>]*)>/.exec(line) ?? [];
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'EHLO' || verb === 'HELO') return say('250 test');
    if (verb === 'MAIL') {
      to = [];
      return say('250 ok');
    }
    if (verb === 'RCPT') {
      if (smtp.refused.has(address)) return say('550 nobody here');
      to.push(address);
      return say('250 ok');
    }
    if (verb === 'DATA') {
      mail = [];
      return say('354 go on');
    }
    if (verb === 'QUIT') return socket.end('221 bye\r\n');
    return say('502 unknown');
  };
  await smtp.greeting;
  say('220 test');
  let rest = '';
  socket.on('data', (chunk) => {
    const lines = `${rest}${chunk.toString('utf8')}`.split('\r\n');
    rest = lines.pop() ?? '';
    for (const line of lines) answer(line);
  });
}
