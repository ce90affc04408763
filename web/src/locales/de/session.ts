import type { session as en } from '../en/session.ts';
import type { Texts } from '../texts.ts';

export const session: Texts<typeof en> = {
  login: 'Anmelden',
  loginTitle: 'Willkommen zurück',
  tagline: 'Alle Bildschirme der Stadt in einer Hand.',
  username: 'Benutzername',
  password: 'Passwort',
  confirmPassword: 'Passwort bestätigen',
  captcha: 'Bestätigungscode',
  captchaPicture: 'Bestätigungscode als Bild',
  captchaAnother: 'Tippen für einen neuen Code',
  registerByCode: 'Mit Einladungscode registrieren',
  selfRegister: 'Konto erstellen',
  haveAccount: 'Schon ein Konto? Anmelden',
  registerTitle: 'Benutzer registrieren',
  register: 'Registrieren',
  invitationCode: 'Einladungscode',
  checkCode: 'Code prüfen',
  checkingCode: 'Einladungscode wird geprüft…',
  invitedBy: 'Eingeladen von {{username}}',
  noCode: 'Kein Code? Konto ohne Code erstellen',
  usernameHint: '4 bis 20 Buchstaben und Ziffern',
  passwordHint: 'Mindestens 8 Zeichen',
  selfRegisterClosed: 'Die Selbstregistrierung ist hier geschlossen. Bitten Sie Ihren Händler um einen Einladungscode.',
  logoutDone: 'Abgemeldet',
  loggingOut: 'Abmeldung läuft…',
};
