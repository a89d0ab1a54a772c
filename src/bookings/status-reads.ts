import type { Clinic } from '../clinic/clinic.ts';

/** All that looking after bookings needs of a clinic; it can never send one. What another clinic says is no evidence. */
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
