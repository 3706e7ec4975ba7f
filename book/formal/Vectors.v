(* Inner products, the cosine of an angle, and axes. *)
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
Lemma dot_zero n u : (forall j, u j = 0) -> dot n u u = 0.
Proof. intros Z; unfold dot; induction n; cbn; rewrite ?IHn, ?Z; ring. Qed.
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

(* Vectors of four coordinates in R^n, and further axes. *)
Definition axis i : vec := fun j => if Nat.eqb j i then 1 else 0.
Lemma sum_few m k f : (m <= k)%nat -> (forall i, (m <= i)%nat -> f i = 0) ->
  sum k f = sum m f.
Proof. intros H Z; induction H; cbn; trivial; rewrite IHle, Z by trivial; ring. Qed.
Lemma dot_four n u v : (4 <= n)%nat -> (forall j, (4 <= j)%nat -> u j * v j = 0) ->
  dot n u v = u 0%nat * v 0%nat + u 1%nat * v 1%nat + u 2%nat * v 2%nat
    + u 3%nat * v 3%nat.
Proof. intros H Z; unfold dot; rewrite (sum_few 4) by trivial; cbn; ring. Qed.
Lemma dot_more n v : (4 <= n)%nat ->
  v 0%nat ^ 2 + v 1%nat ^ 2 + v 2%nat ^ 2 + v 3%nat ^ 2 <= dot n v v.
Proof. intros H; induction H as [|n H IH]; unfold dot in *; cbn [sum] in *; nra. Qed.
Lemma dot_axis n i v : (i < n)%nat -> dot n (axis i) v = v i.
Proof.
  assert (Z : forall m, (m <= i)%nat -> dot m (axis i) v = 0).
  { unfold dot, axis; induction m as [|m IH]; intros H; cbn; trivial.
    rewrite IH by lia; destruct (Nat.eqb_spec m i); [lia|ring]. }
  intros H; induction H as [|n H IH].
  - unfold dot in *; cbn; rewrite Z by lia; unfold axis; rewrite Nat.eqb_refl; ring.
  - unfold dot in *; cbn; rewrite IH; unfold axis.
    destruct (Nat.eqb_spec n i); [lia|ring].
Qed.
Lemma nonzero_axis n i : (i < n)%nat -> nonzero n (axis i).
Proof.
  intros H; unfold nonzero; rewrite dot_axis by trivial; unfold axis.
  rewrite Nat.eqb_refl; lra.
Qed.
Lemma span_zero k t v j : in_span k t v -> (forall i, (i < k)%nat -> t i j = 0) ->
  v j = 0.
Proof.
  intros [c E] Z; rewrite E; clear E; induction k as [|k IH]; cbn; trivial.
  rewrite IH, Z by (intros; try apply Z; lia); ring.
Qed.
Ltac four := repeat (rewrite dot_four in * by
  (try lia; intros [|[|[|[|?]]]] ?; try lia; cbn; ring)); cbn -[IZR pow] in *.

(* An angle of at least arctan(1/L). *)
Lemma leans n u v L : 0 < L -> nonzero n u -> nonzero n v ->
  dot n u v ^ 2 * (L ^ 2 + 1) <= L ^ 2 * (dot n u u * dot n v v) ->
  atan (1 / L) <= angle n u v.
Proof.
  intros HL Hu Hv H; assert (0 < 1 / L) by (apply Rdiv_lt_0_compat; lra).
  apply angle_ge; trivial; [lra|].
  apply Rmult_le_reg_l with (L ^ 2); [nra|].
  replace (L ^ 2 * (dot n u v ^ 2 * (1 + (1 / L) ^ 2)))
    with (dot n u v ^ 2 * (L ^ 2 + 1)) by (field; lra); trivial.
Qed.
Lemma lever n u v L q : 0 < L -> nonzero n v -> dot n u u = L ^ 2 + 1 ->
  dot n u v = L * q -> q ^ 2 <= dot n v v -> atan (1 / L) <= angle n u v.
Proof.
  intros HL Hv E1 E2 H; apply leans; trivial; [unfold nonzero; nra|].
  rewrite E1, E2; pose proof (pow2_ge_0 L).
  replace (_ * _) with (L ^ 2 * ((L ^ 2 + 1) * q ^ 2)) by ring.
  do 2 (apply Rmult_le_compat_l; [lra|]); exact H.
Qed.
Lemma right_angle n u v L : 0 < L -> nonzero n u -> nonzero n v -> dot n u v = 0 ->
  atan (1 / L) <= angle n u v.
Proof.
  intros HL Hu Hv E; apply leans; trivial; rewrite E.
  pose proof (Rmult_lt_0_compat _ _ Hu Hv); nra.
Qed.

Lemma atan_more x : 0 <= x <= 1 -> 2 / 3 * x <= atan x.
Proof.
  intros H; eapply Rle_trans; [|apply atan_ge; lra]; assert (0 <= x ^ 2 <= 1) by nra.
  assert (0 <= x ^ 5 * (1 - x ^ 2)) by (apply Rmult_le_pos; [apply pow_le|]; lra).
  assert (0 <= x * (1 - x ^ 2)) by nra; nra.
Qed.
