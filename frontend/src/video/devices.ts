// Camera, microphone and screen, as small as supervision needs them.
const CAMERA: MediaStreamConstraints = {
  video: { width: { ideal: 320 }, height: { ideal: 240 }, frameRate: { ideal: 10 } },
  // As it is: a microphone that is made to be silent in a quiet room looks like one that is off.
  audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
};
const SCREEN = {
  video: { frameRate: { ideal: 2, max: 5 }, width: { max: 1280 }, height: { max: 720 }, displaySurface: "monitor" },
  audio: false, monitorTypeSurfaces: "include", surfaceSwitching: "exclude", selfBrowserSurface: "exclude",
};
/** The back camera of a phone; the sound comes from the computer alone. */
const ROOM: MediaStreamConstraints = {
  video: { facingMode: { ideal: "environment" }, width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 5 } },
  audio: false,
};
export const CAMERA_TYPE = "video/webm;codecs=vp8,opus";
export const SCREEN_TYPE = "video/webm;codecs=vp8";

/** What of a browser is missing; empty where it can do all that the event asks for. */
export function missingOfBrowser(needsScreen: boolean): string {
  if (!window.isSecureContext || !navigator.mediaDevices) return "https";
  if (!("MediaRecorder" in window) || !MediaRecorder.isTypeSupported(CAMERA_TYPE)) return "recorder";
  if (needsScreen && !navigator.mediaDevices.getDisplayMedia) return "screen";
  return "";
}

export const openCamera = (): Promise<MediaStream> => navigator.mediaDevices.getUserMedia(CAMERA);
export const openRoom = (): Promise<MediaStream> => navigator.mediaDevices.getUserMedia(ROOM);
/** Only in answer to a click: browsers ask for one. */
export const openScreen = (): Promise<MediaStream> => navigator.mediaDevices.getDisplayMedia(SCREEN as DisplayMediaStreamOptions);

export function stop(stream: MediaStream | null): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

export const isLive = (track: MediaStreamTrack | undefined): boolean => track?.readyState === "live" && !track.muted;

export function surfaceOf(stream: MediaStream | null): string {
  const settings = stream?.getVideoTracks()[0]?.getSettings() as { displaySurface?: string } | undefined;
  return settings?.displaySurface ?? "";
}

/** Whether there is a second monitor; null where the browser does not tell. */
export function hasSecondMonitor(): boolean | null {
  return (screen as { isExtended?: boolean }).isExtended ?? null;
}
