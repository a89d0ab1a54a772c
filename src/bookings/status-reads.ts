import type { Clinic } from '../clinic/clinic.ts';

/** The only calls bookings make outside dispatch; `watched` confirms the clinic's identity before them. */
export type StatusReads = Pick<Clinic, 'appointmentStatus' | 'appointmentCount'>;

export function watched(clinic: Clinic, onError: () => void): StatusReads {
  const confirmed = async <T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> => {
    try {
      await clinic.confirmIdentity(signal);
      return await read();
    } catch (error) {
      onError();
      throw error;
    }
  };
  return {
    appointmentStatus: (id, signal, lane) =>
      confirmed(signal, () => clinic.appointmentStatus(id, signal, lane)),
    appointmentCount: (signal) => confirmed(signal, () => clinic.appointmentCount(signal)),
  };
}
