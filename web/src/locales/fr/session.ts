import type { session as en } from '../en/session.ts';
import type { Texts } from '../texts.ts';

export const session: Texts<typeof en> = {
  login: 'Se connecter',
  loginTitle: 'Content de vous revoir',
  tagline: 'Tous les écrans de la ville, dans votre main.',
  username: 'Nom d’utilisateur',
  password: 'Mot de passe',
  confirmPassword: 'Confirmer le mot de passe',
  captcha: 'Code de vérification',
  captchaPicture: 'Code de vérification en image',
  captchaAnother: 'Touchez pour en voir un autre',
  registerByCode: 'S’inscrire avec un code d’invitation',
  selfRegister: 'Créer un compte',
  haveAccount: 'Déjà un compte ? Se connecter',
  registerTitle: 'Inscrire un utilisateur',
  register: 'S’inscrire',
  invitationCode: 'Code d’invitation',
  checkCode: 'Vérifier le code',
  checkingCode: 'Vérification du code d’invitation…',
  invitedBy: 'Invitation de {{username}}',
  noCode: 'Pas de code ? Créer un compte sans code',
  usernameHint: '4 à 20 lettres et chiffres',
  passwordHint: '8 caractères au minimum',
  selfRegisterClosed: 'L’inscription libre est fermée ici. Demandez un code d’invitation à votre revendeur.',
  logoutDone: 'Vous êtes déconnecté',
  loggingOut: 'Déconnexion…',
};
