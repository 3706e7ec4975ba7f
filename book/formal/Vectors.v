(* Inner products and the cosine of an angle. *)
From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
Require Import Angles Lemma3.
Local Open Scope R_scope.

Lemma sum_ext m f g : (forall i, (i < m)%nat -> f i = g i) -> sum m f = sum m g.
Proof.
  induction m as [|m IH]; intros H; cbn; trivial.
  rewrite IH, H by (intros; try apply H; lia); trivial.
Qed.
Lemma sum_scal m x f : sum m (fun i => x * f i) = x * sum m f.
Proof. induction m as [|m IH]; cbn; [|rewrite IH]; ring. Qed.
Lemma dot_lin n x y u v w :
  dot n (fun j => x * u j + y * v j) w = x * dot n u w + y * dot n v w.
Proof. unfold dot; induction n as [|n IH]; cbn; [|rewrite IH]; ring. Qed.
Lemma dot_sym n u v : dot n u v = dot n v u.
Proof. apply sum_ext; intros; ring. Qed.
Lemma dot_lin_r n x y u v w :
  dot n w (fun j => x * u j + y * v j) = x * dot n w u + y * dot n w v.
Proof. rewrite dot_sym, dot_lin, !(dot_sym n w); trivial. Qed.
Lemma dot_pos n u : 0 <= dot n u u.
Proof. unfold dot; induction n; cbn; nra. Qed.

(* Cauchy and Schwarz, and so the cosine of an angle. *)
Lemma cauchy n u v : dot n u v ^ 2 <= dot n u u * dot n v v.
Proof.
  destruct (Rle_lt_or_eq_dec 0 (dot n v v) (dot_pos n v)) as [H|H].
  - pose proof (dot_pos n (fun j => dot n v v * u j + - dot n u v * v j)) as K.
    rewrite dot_lin, !dot_lin_r, (dot_sym n v u) in K.
    apply Rmult_le_reg_l with (dot n v v); lra.
  - pose proof (dot_pos n (fun j => dot n u v * u j + - (dot n u u + 1) * v j)) as K.
    rewrite dot_lin, !dot_lin_r, (dot_sym n v u), <- H in K.
    rewrite <- H; pose proof (dot_pos n u); pose proof (pow2_ge_0 (dot n u v)); nra.
Qed.

Lemma cos_angle n u v : nonzero n u -> nonzero n v ->
  exists P, 0 < P /\ P ^ 2 = dot n u u * dot n v v /\
    dot n u v = cos (angle n u v) * P.
Proof.
  intros Hu Hv; destruct (P_sqr n u v Hu Hv) as [P0 P2].
  set (P := sqrt _ * sqrt _) in *; exists P; split; [|split]; trivial.
  pose proof (cauchy n u v) as K; rewrite <- P2 in K.
  unfold angle; fold P; rewrite cos_acos; [field; lra|].
  split; apply Rmult_le_reg_r with P; trivial; unfold Rdiv;
    rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; nra.
Qed.

Lemma angle_range n u v : 0 <= angle n u v <= PI.
Proof. apply acos_bound. Qed.

Lemma scaled k a x p : in_span k a p -> in_span k a (fun j => x * p j).
Proof.
  intros [c E]; exists (fun i => x * c i); intros j.
  rewrite E, <- sum_scal; apply sum_ext; intros; ring.
Qed.
