// The messages between the page and its worker. Request 0 opens the snapshot.

export interface Progress {
  bytes: number;
  rounds: number;
}

export interface OfflineRequest {
  id: number;
  open?: { whole: boolean };
  path?: string;
}

export interface OfflineResponse {
  id: number;
  status?: number;
  body?: unknown;
  error?: string;
  progress?: Progress;
}
