import type { session as en } from '../en/session.ts';
import type { Texts } from '../texts.ts';

export const session: Texts<typeof en> = {
  login: 'Iniciar sesión',
  loginTitle: 'Hola de nuevo',
  tagline: 'Todas las pantallas de la ciudad, en tu mano.',
  username: 'Nombre de usuario',
  password: 'Contraseña',
  confirmPassword: 'Confirmar contraseña',
  captcha: 'Código de verificación',
  captchaPicture: 'Código de verificación en imagen',
  captchaAnother: 'Toca para ver otro',
  registerByCode: 'Registrarse con un código de invitación',
  selfRegister: 'Crear una cuenta',
  haveAccount: '¿Ya tienes cuenta? Inicia sesión',
  registerTitle: 'Registrar usuario',
  register: 'Registrarse',
  invitationCode: 'Código de invitación',
  checkCode: 'Comprobar el código',
  checkingCode: 'Comprobando el código de invitación…',
  invitedBy: 'Invitación de {{username}}',
  noCode: '¿No tienes código? Crea una cuenta sin él',
  usernameHint: 'De 4 a 20 letras y números',
  passwordHint: '8 caracteres como mínimo',
  selfRegisterClosed: 'Aquí el registro libre está cerrado. Pide un código de invitación a tu distribuidor.',
  logoutDone: 'Sesión cerrada',
  loggingOut: 'Cerrando sesión…',
};
