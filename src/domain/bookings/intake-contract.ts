import type { Submission } from './booking.ts';

export interface IntakeRequest {
  method: 'GET' | 'POST';
  /** Path after `/in/{connector}`, without a leading slash. */
  path: string;
  query: URLSearchParams;
  /** Lower-case names. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Host of `http.public_url`, by which visitors reach this server. */
  publicHost?: string;
  /** The bytes as received, at most 64 kB; signatures are over these. */
  body: Buffer;
  remoteAddress: string;
}

/** Refused before anything is stored; never because of the content of an authentic submission. */
export interface IntakeRefusal {
  kind: 'refused';
  status: 400 | 401 | 403 | 404 | 415 | 429;
  message: string;
  hint?: string;
}

export type IntakeResult =
  | {
      kind: 'submission';
      submission: Submission;
      /**
       * Where a browser (`Accept: text/html`) goes next, 303. From the configuration, never from the request. `{ref}`
       * becomes the booking's reference.
       */
      thanks?: string;
      /** Fields that did not go into the submission, for whoever writes the mapping. */
      unused?: readonly string[];
      /** Passed to `accepted`, with the reference of this submission. */
      receipt?: string;
      trouble?: VisitorTrouble | undefined;
      /** True for a browser, whatever its headers say. */
      isVisitor?: boolean;
    }
  /** Answered 200, counted and not stored: a test ping, a bot in the honeypot. */
  | { kind: 'ignored'; message: string }
  /** Not stored: a browser gets this page, which keeps what the visitor typed, to send it again. */
  | { kind: 'page'; status: number; html: string; trouble?: VisitorTrouble | undefined }
  | IntakeRefusal;

/** Limits for senders who do not authenticate. */
export interface VisitorLimits {
  /** Limits of one visitor (an IPv4 address, or a /64 of IPv6). */
  tenMinutes: number;
  day: number;
  /** Networks whose visitors share an address: only the limit of all together holds for them. */
  shared?: readonly string[];
  /** Limit of all visitors together for full submissions; further ones are kept short, and held. */
  everybodyHour: number;
}

/** Why a visitor is refused, who may send the same again. */
export interface RefusedVisitor {
  why: 'too_many' | 'unstored' | 'unread';
  waitMs?: number | undefined;
}

/** Something that visitors of a form run into, for whoever runs it. */
export interface VisitorTrouble {
  /** Label of the metric. */
  cause: string;
  /** What the requests show, and what to do; nothing that a visitor wrote. */
  sentence: string;
  action: string;
}

export interface IntakePage {
  status: number;
  html: string;
  /** Set when `html` is another format, to download or for another site; only from connectors within the daemon. */
  type?: 'text/calendar' | 'text/javascript';
  trouble?: VisitorTrouble | undefined;
}

export type PageSources = {
  readonly [directive in 'font-src' | 'script-src' | 'frame-src' | 'connect-src']?: readonly string[];
};

/** A fictitious lead, from which a connector makes its nightly probe. */
export interface ProbeLead {
  /** The submission id. */
  id: string;
  clinic: string;
  fields: Readonly<
    Record<'patient_name' | 'patient_phone' | 'appointment_date' | 'appointment_time', string>
  >;
}

export interface ProbeRequest {
  /** Path after `/in/{connector}`, without a leading slash. */
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** A page below `/in/{connector}` that the visitor would load first. */
  page?: string;
}

/** What people enter at their website or form tool. */
export interface IntakeSetup {
  /** HTML to copy into a page. */
  embed?: string;
  /** Websites that may show it in a frame. */
  sites?: readonly string[];
  /** What a request must carry; any of them is enough. */
  carries?: readonly string[];
}
