import type { Clinic } from '../clinic/clinic.ts';

/** The only call bookings make outside dispatch; `watched` confirms the clinic's identity before it. */
export type StatusReads = Pick<Clinic, 'appointmentStatus'>;

export const watched = (clinic: Clinic, onError: () => void): StatusReads => ({
  async appointmentStatus(id, signal, lane) {
    try {
      await clinic.confirmIdentity(signal);
      return await clinic.appointmentStatus(id, signal, lane);
    } catch (error) {
      onError();
      throw error;
    }
  },
});
